/** `npm run compose -- …`: looks at and moves what a running desk serves. */
import { keepCompiled } from '../../config/keep-compiled.ts';
import { readerMayLeave } from '../reader-may-leave.ts';

readerMayLeave();
// Most of what a command takes is reading its own sources.
keepCompiled();
const { runCompose } = await import('./run-compose.ts');

process.exitCode = await runCompose({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => new Date(),
});
