/** Starts the API only, configured by the environment: pages come from earlier publications. */
import { readConfig } from './config/config.ts';
import { enableCompileCache } from './config/enable-compile-cache.ts';
import { stopOnSignals } from './config/stop-on-signals.ts';

try {
  enableCompileCache();
  const { startServer } = await import('./server.ts');
  const server = await startServer({ config: readConfig(process.env) });
  stopOnSignals(server);
  console.log(`咨询台 · API: ${server.url}`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}
