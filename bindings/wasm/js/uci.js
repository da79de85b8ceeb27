#!/usr/bin/env node
// The engine as a program that speaks UCI, for node: `npx brier-chess`, or `npx brier-chess small` with that network.

import { createInterface } from "node:readline";
import { Conversation } from "./conversation.js";

const onFailure = (error) => {
  console.error(error.message);
  process.exit(1);
};
const conversation = new Conversation({ network: process.argv[2], onLine: (line) => console.log(line), onFailure });
const input = createInterface({ input: process.stdin });
input.on("line", async (line) => {
  if (line.trim() !== "quit") return conversation.send(line);
  await conversation.end();
  process.exit(0);
});
// Without more input a search that runs still answers.
input.on("close", () => conversation.finish().then(() => process.exit(0)));
