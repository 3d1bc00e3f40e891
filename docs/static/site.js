// What is wider than its place can be moved by the arrow keys, once it has the focus.
function letScrollByKeys() {
  for (const each of document.querySelectorAll("pre, .table-wrapper")) {
    if (each.scrollWidth > each.clientWidth) {
      each.tabIndex = 0;
    } else {
      each.removeAttribute("tabindex");
    }
  }
}
window.addEventListener("load", letScrollByKeys);
window.addEventListener("resize", letScrollByKeys);
