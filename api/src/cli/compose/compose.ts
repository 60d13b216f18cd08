/** `npm run compose -- …`: shows and changes which composition a running server serves. */
import { startProgram } from '../start-program.ts';

await startProgram(async () => {
  const { runCompose } = await import('./run-compose.ts');
  return (deps) => runCompose({ ...deps, now: () => new Date() });
});
