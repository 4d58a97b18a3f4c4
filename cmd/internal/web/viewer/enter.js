// The address with the token leads to the viewer, without the token and with what is to be shown.
location.replace("viewer/view.html" + location.hash);
