// Starts the Slack of `emulate` on loopback only: by itself it listens on every interface.
// node emulate_slack.mjs PORT BOT_TOKEN PERSON_TOKEN, with `emulate` installed where the process runs.
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [port, token, person] = process.argv.slice(2);
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (number, ...rest) {
  return listen.call(this, number, "127.0.0.1", ...rest.filter((argument) => typeof argument === "function"));
};
const entry = path.join(process.cwd(), "node_modules", "emulate", "dist", "api.js");
const { createEmulator } = await import(pathToFileURL(entry));
await createEmulator({
  service: "slack",
  port: Number(port),
  seed: {
    tokens: { [token]: { login: "triage" }, [person]: { login: "ana" } },
    slack: {
      team: { name: "Home", domain: "home" },
      users: [{ name: "ana" }, { name: "triage", is_bot: true }],
      bots: [{ name: "triage" }],
    },
  },
});
// It says that it runs before it listens.
for (let isUp = false; !isUp; ) {
  isUp = await fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false);
  if (!isUp) await new Promise((resolve) => setTimeout(resolve, 20));
}
console.log("ready");
