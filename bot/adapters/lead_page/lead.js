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
    const answer = await fetch("lead/decide", {
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
function openAside() {
  if (location.hash === "#aside") document.querySelector("#aside details").open = true;
}
addEventListener("hashchange", openAside);
openAside();
// A correction is in force at the next question; the same place then offers to undo it.
async function send(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const said = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(typeof said.detail === "string" ? said.detail : `refused (${answer.status})`);
  return said;
}
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-kind], button[data-undo]");
  if (!button) return;
  const article = button.closest("article");
  const told = document.getElementById("told");
  button.disabled = true;
  try {
    if (button.dataset.kind) {
      const sources = article.querySelector("[name=sources]").value.split("\n").map((id) => id.trim()).filter(Boolean);
      const body = { key: article.dataset.key, kind: button.dataset.kind, sources: [], answer: "" };
      if (body.kind !== "refuse") body.sources = sources;
      if (body.kind === "pin") body.answer = article.querySelector("[name=answer]").value;
      const made = await send("lead/correct", body);
      const undo = document.createElement("button");
      undo.type = "button";
      undo.dataset.undo = "";
      undo.dataset.made = made.key;
      undo.textContent = `Undo: ${button.textContent}`;
      button.replaceWith(undo);
      undo.kept = button;
      told.textContent = "in force from the next question on";
    } else {
      await send("lead/undo", { key: button.dataset.made || article.dataset.correction });
      if (button.kept) button.replaceWith(button.kept);
      else article.classList.add("done");
      if (button.kept) button.kept.disabled = false;
      told.textContent = "undone";
      return;
    }
  } catch (error) {
    told.textContent = `not saved: ${error.message}`;
  }
  button.disabled = false;
});
// A verdict about a held document makes a new generation of the index; running bots follow it within seconds.
document.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-verdict]");
  if (!button) return;
  const article = button.closest("article");
  const told = document.getElementById("told");
  const buttons = [...article.querySelectorAll("button[data-verdict]")];
  const note = article.querySelector("[name=note]");
  const verdict = button.dataset.verdict;
  for (const one of buttons) one.disabled = true;
  told.textContent = "being written into the index …";
  try {
    await send("lead/judge", {
      id: article.dataset.document,
      content: article.dataset.content,
      verdict,
      note: verdict !== "open" && note ? note.value : "",
    });
    told.textContent = verdict === "open" ? "undone" : `${verdict}, in force within a minute`;
    article.classList.toggle("done", verdict !== "open" || !note);
    if (note && verdict !== "open") {
      button.kept = [button.textContent, verdict];
      button.textContent = `Undo: ${button.textContent}`;
      button.dataset.verdict = "open";
      button.disabled = false;
      return;
    }
    if (button.kept) [button.textContent, button.dataset.verdict] = button.kept;
    if (!note) return;
  } catch (error) {
    told.textContent = `not saved: ${error.message}`;
  }
  for (const one of buttons) one.disabled = false;
});
