/** `npm run accounts -- …`: manages the rights of accounts on a running server. */
import { enableCompileCache } from '../../config/enable-compile-cache.ts';
import { handleEpipe } from '../handle-epipe.ts';

handleEpipe();
enableCompileCache();
const { runAccounts } = await import('./run-accounts.ts');

process.exitCode = await runAccounts({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
