// Starts `formula-eval lsp` for files of formulas, and ends it with the window.
"use strict";

const { window, workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = async function () {
  const command = workspace.getConfiguration("formula-eval").get("command", "formula-eval");
  client = new LanguageClient(
    "formula-eval",
    "formula-eval",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ scheme: "file", language: "formula" }],
      synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{formula,toml}") },
    },
  );
  try {
    await client.start();
  } catch (error) {
    window.showErrorMessage(`Cannot start \`${command} lsp\`: ${error.message}. Is formula-eval[lsp] installed?`);
  }
};

exports.deactivate = function () {
  return client?.stop();
};
