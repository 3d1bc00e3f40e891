/* Brings what has changed on the page of a run into it; nothing is loaded anew, so what
   has the focus keeps it. Without it the page loads itself again. */
"use strict";
(() => {
  const isLost = (is) => document.getElementById("lost").toggleAttribute("hidden", !is);
  const look = async () => {
    try {
      const answer = await fetch(location.href);
      isLost(false);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (answer.redirected || !page.querySelector("#run")) {
        location.replace(answer.url);
        return;
      }
      document.title = page.title;
      document.querySelectorAll("[data-live]").forEach((each) => {
        const now = page.getElementById(each.id);
        if (!now || now.isEqualNode(each)) return;
        if (each.localName === "progress") Object.assign(each, { max: now.max, value: now.value });
        else each.replaceChildren(...now.childNodes);
      });
    } catch { isLost(true); /* What stands here stays. */ }
    setTimeout(look, 1000);
  };
  if (document.getElementById("run")) setTimeout(look, 1000);
  addEventListener("pageshow", (event) => {
    // What Back shows of an agreement may have been carried out since.
    if (event.persisted && document.querySelector("[name=sha256]")) location.reload();
  });
})();
