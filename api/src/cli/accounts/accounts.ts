/** `npm run accounts -- …`: manages the rights of accounts on a running server. */
import { startProgram } from '../start-program.ts';

await startProgram(async () => (await import('./run-accounts.ts')).runAccounts);
