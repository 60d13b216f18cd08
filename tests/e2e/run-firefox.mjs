#!/usr/bin/env node
/**
 * Starts the Firefox named by FIREFOX_PATH for Playwright, which controls it by WebDriver BiDi. Forwards their messages and answers the one command
 * itself that Playwright always sends and Firefox ESR does not have: without it no browser context can be created.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

const MISSING_COMMAND = 'emulation.setMediaFeaturesOverride';
const OPTIONS = { perMessageDeflate: false, maxPayload: 2 ** 28 };

const firefox = spawn(process.env.FIREFOX_PATH, process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.on('error', (error) => {
  console.error(error.message);
  process.exit(1);
});
firefox.on('exit', (code) => process.exit(code ?? 1));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => firefox.kill(signal));

for await (const line of createInterface({ input: firefox.stderr })) {
  const [, address] = /^WebDriver BiDi listening on (ws:\S+)$/.exec(line) ?? [];
  if (!address) {
    console.error(line);
    continue;
  }
  const server = new WebSocketServer({ ...OPTIONS, host: '127.0.0.1', port: 0 });
  server.on('connection', (playwright) => forward(playwright, new WebSocket(`${address}/session`, OPTIONS)));
  server.on('listening', () =>
    console.error(`WebDriver BiDi listening on ws://127.0.0.1:${server.address().port}`),
  );
}

function forward(playwright, browser) {
  const opened = new Promise((resolve) => browser.on('open', resolve));
  playwright.on('message', async (data) => {
    const { id, method } = JSON.parse(data);
    if (method === MISSING_COMMAND)
      return playwright.send(JSON.stringify({ type: 'success', id, result: {} }));
    await opened;
    browser.send(String(data));
  });
  browser.on('message', (data) => playwright.send(String(data)));
  browser.on('error', () => playwright.close());
  browser.on('close', () => playwright.close());
  playwright.on('close', () => browser.close());
}
