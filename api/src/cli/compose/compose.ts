/** `npm run compose -- …`: shows and changes which composition a running server serves. */
import { enableCompileCache } from '../../config/enable-compile-cache.ts';
import { handleEpipe } from '../handle-epipe.ts';

handleEpipe();
// Most of a command's run time is compiling its own sources.
enableCompileCache();
const { runCompose } = await import('./run-compose.ts');

process.exitCode = await runCompose({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => new Date(),
});
