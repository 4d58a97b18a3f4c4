// The keys of the viewer, wherever the focus is.

/** Does what a key means in a viewer: see the list of keys in help.js. */
export function pressKey(viewer, e) {
  const typing = e.target.closest("input, select, textarea, dialog");
  const control = e.ctrlKey || e.metaKey;
  const act = (action) => {
    e.preventDefault();
    action();
  };
  if (e.key === "F1") return act(() => viewer.help.open());
  if (control && e.key === "f") return act(() => viewer.filterBar.focus());
  if (control && e.key === "g") return act(() => viewer.actions.askFrame());
  if (control && e.key === "ArrowDown")
    return act(() => viewer.list.select(Math.min(viewer.list.many - 1, viewer.list.selected + 1)));
  if (control && e.key === "ArrowUp") return act(() => viewer.list.select(Math.max(0, viewer.list.selected - 1)));
  if (control && e.key === "m") return act(() => viewer.actions.mark());
  if (control && e.key === ".") return act(() => viewer.actions.goConversation(false));
  if (control && e.key === ",") return act(() => viewer.actions.goConversation(true));
  if (typing || control || e.altKey) return;
  if (e.key === "/") return act(() => viewer.filterBar.focus());
  if (e.key === "?") return act(() => viewer.help.open());
  if (e.key === "Escape") return act(() => viewer.panels.close());
  if (e.key === "m") return act(() => viewer.actions.mark());
  if (e.key === "n" || e.key === "N") return act(() => viewer.actions.goMark(e.key === "N"));
  if (e.key === "x") return act(() => viewer.actions.openExports(e));
  if (e.key === "ContextMenu" || (e.key === "F10" && e.shiftKey)) return act(() => viewer.actions.openMenu(e));
  const panes = { 1: viewer.list.element, 2: viewer.tree.focusable, 3: viewer.bytes.focusable };
  if (panes[e.key]) return act(() => panes[e.key].focus());
}
