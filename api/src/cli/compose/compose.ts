/** `npm run compose -- …`: looks at and moves what a running desk serves. */
import { runCompose } from './run-compose.ts';

process.exitCode = await runCompose({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  now: () => new Date(),
});
