/** Starts the API only, configured by the environment: pages come from earlier publications. */
import { configure } from './config/configure.ts';
import { enableCompileCache } from './config/enable-compile-cache.ts';
import { stopOnSignals } from './config/stop-on-signals.ts';

try {
  const config = configure(process.argv.slice(2), process.env);
  enableCompileCache();
  const { startServer } = await import('./server.ts');
  const server = await startServer({ config });
  stopOnSignals(server, config);
  console.log(`咨询台 · API: ${server.url}`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}
