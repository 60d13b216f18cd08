import { findProgram } from '../api/src/cli/compose/commands/smoke/find-browser.ts';
import { installByApt } from './find-chromium.ts';

export const NO_FIREFOX =
  'No Firefox was found. Install one (apt-get install firefox-esr), or set FIREFOX_PATH to yours.';

/** Path of a Firefox: FIREFOX_PATH, one on PATH, or one installed now by apt; undefined if none is available. */
export function findFirefox(): string | undefined {
  // The processes of one run share the result, so that only the first one tries to install it.
  process.env.FIREFOX_PATH ??= present() ?? install() ?? '';
  return process.env.FIREFOX_PATH || undefined;
}

function present(): string | undefined {
  return findProgram(['firefox-esr', 'firefox'], process.env.PATH);
}

function install(): string | undefined {
  console.log('No Firefox found; installing one.');
  installByApt('firefox-esr');
  return present();
}
