/**
 * Starts the API without building anything, configured by the environment. Pages come from earlier publications, and from the built folders named by
 * `--publish host/dist --publish mfe-chat/dist …`.
 */
import { configure } from './config/configure.ts';
import { enableCompileCache } from './config/enable-compile-cache.ts';
import { stopOnSignals } from './config/stop-on-signals.ts';

try {
  const { publish, ...config } = configure(process.argv.slice(2), process.env);
  enableCompileCache();
  const { startServer } = await import('./server.ts');
  const server = await startServer({ config, ...(publish.length > 0 ? { builds: publish } : {}) });
  stopOnSignals(server, config);
  console.log(`咨询台 · API: ${server.url}`);
  if (server.setupPath)
    console.log(`创建管理员 · create the administrator: ${server.url}${server.setupPath}`);
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exit(1);
}
