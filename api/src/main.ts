/** The API alone, as configured by the environment: pages come from what was published before. */
import { readConfig } from './config.ts';
import { keepCompiled } from './keep-compiled.ts';
import { stopOnSignals } from './stop-on-signals.ts';

try {
  keepCompiled();
  const { startServer } = await import('./server.ts');
  const server = await startServer({ config: readConfig(process.env) });
  stopOnSignals(server);
  console.log(`咨询台 · API: ${server.url}`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}
