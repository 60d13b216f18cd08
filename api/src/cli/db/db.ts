/** `npm run db -- …`: backup, restore, migration and check of the data of a desk, in the store that MONGODB_URI or DATA_DIR names. */
import { enableCompileCache } from '../../config/enable-compile-cache.ts';
import { handleEpipe } from '../handle-epipe.ts';

handleEpipe();
enableCompileCache();
const { runDb } = await import('./run-db.ts');

process.exitCode = await runDb({
  argv: process.argv.slice(2),
  env: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
