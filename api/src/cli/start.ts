/** `npm start`: builds workspaces that are out of date, publishes them and runs the server until Ctrl-C. */
import { fileURLToPath } from 'node:url';
import { configure } from '../config/configure.ts';
import { enableCompileCache } from '../config/enable-compile-cache.ts';
import { stopOnSignals } from '../config/stop-on-signals.ts';
import { buildStale } from './build-stale.ts';
import { compileWithRspack } from './compile-with-rspack.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

try {
  const { publish, ...config } = configure(process.argv.slice(2), process.env);
  if (publish.length > 0)
    throw new Error('--publish is for api/src/main.ts: this command builds and publishes all workspaces');
  enableCompileCache();
  // Loaded in parallel with comparing the sources: together these take most of the time of a second start.
  const loading = import('../server.ts');
  const builds = await buildStale({ root, compile: compileWithRspack(root), log: console.log });
  const { startServer } = await loading;
  const server = await startServer({ config, builds });
  stopOnSignals(server, config);
  if (server.published?.kind === 'kept') {
    console.log(
      `operations chose what is live, so these builds are not live; to make them live: ${server.published.command}`,
    );
  }
  console.log(`咨询台 · consultation desk: ${server.url}/chatbot/`);
  if (server.setupPath)
    console.log(`创建管理员 · create the administrator: ${server.url}${server.setupPath}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
