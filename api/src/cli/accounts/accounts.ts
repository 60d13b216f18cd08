/** `npm run accounts -- …`: manages the rights of accounts on a running server. */
import { keepCompiled } from '../../config/enable-compile-cache.ts';
import { readerMayLeave } from '../handle-epipe.ts';

readerMayLeave();
keepCompiled();
const { runAccounts } = await import('./run-accounts.ts');

process.exitCode = await runAccounts({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
