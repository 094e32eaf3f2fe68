"use strict";
// A decision is sent at once, and its button then undoes it.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-fate]");
  if (!button) return;
  const article = button.closest("article");
  const told = document.getElementById("told");
  const isUndone = article.dataset.fate === button.dataset.fate;
  const fate = isUndone ? "open" : button.dataset.fate;
  button.disabled = true;
  try {
    const answer = await fetch("/lead/decide", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ key: article.dataset.key, fate }),
    });
    if (!answer.ok) throw new Error(`refused (${answer.status})`);
    article.dataset.fate = fate;
    article.classList.toggle("done", fate !== "open");
    for (const other of article.querySelectorAll("button[data-fate]")) {
      other.textContent = other.textContent.replace(/^Undo: /, "");
      if (other === button && fate !== "open") other.textContent = `Undo: ${other.textContent}`;
    }
    told.textContent = isUndone ? "open again" : `marked as ${fate}`;
  } catch (error) {
    told.textContent = `not saved: ${error.message}`;
  }
  button.disabled = false;
});
