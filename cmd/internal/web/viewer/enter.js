// The address with the token leads to the viewer, without the token and with what is to be shown.
import { say } from "../assets/dom.js";
import { takeSecrets } from "./secret.js";

const closed = document.getElementById("closed");
try {
  if (takeSecrets(document.documentElement.dataset.secrets)) location.replace("viewer/view.html" + location.hash);
  else closed.hidden = false;
} catch {
  say(closed, "The viewer needs the storage of its tab, which this browser does not give to 127.0.0.1.");
  closed.hidden = false;
}
