// Sends questions, inserts the server's escaped reply, keeps one thread id per root message.
"use strict";

const messages = document.getElementById("messages");
const byId = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

function say(node, text) {
  node.querySelector(".text").textContent = text;
  return node;
}

async function ask(question, thread, replies) {
  const pending = replies.appendChild(byId("pending-template"));
  pending.scrollIntoView({ block: "nearest" });
  try {
    const response = await fetch("/playground/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ question, thread }),
    });
    if (!(response.headers.get("Content-Type") || "").startsWith("text/html")) {
      say(pending, (await response.json()).detail || "The bot could not take this message.");
      return false;
    }
    pending.outerHTML = await response.text();
  } catch {
    say(pending, "The bot is out of reach. Your question is back in the box; send it again in a moment.");
    return false;
  }
  replies.lastElementChild.scrollIntoView({ block: "nearest" });
  return true;
}

async function submit(form, act) {
  const box = form.elements.question;
  const question = box.value.trim();
  if (!question) return;
  const button = form.querySelector("button");
  button.disabled = true;
  box.value = "";
  if (!(await act(question))) box.value = question;
  button.disabled = false;
  box.focus();
}

async function startThread(question) {
  document.getElementById("empty")?.remove();
  const id = crypto.randomUUID();
  const thread = messages.appendChild(say(byId("thread-template"), question));
  const replies = thread.querySelector(".replies");
  const isAnswered = await ask(question, id, replies);
  const form = thread.querySelector(".reply-form");
  form.hidden = false;
  onSend(form, (text) => {
    replies.appendChild(say(byId("message-template"), text));
    return ask(text, id, replies);
  });
  return isAnswered;
}

function onSend(form, act) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, act);
  });
  form.elements.question.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit(form, act);
    }
  });
}

onSend(document.getElementById("composer"), startThread);
document.querySelectorAll(".example").forEach((button) =>
  button.addEventListener("click", () => startThread(button.textContent)),
);
document.getElementById("question").focus();
