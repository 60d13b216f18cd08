import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import { type CheckedFile, type FileFault, type Finding, findingOn, type Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Number of files listed by name; the others are only counted. */
const named = 3;

/** One finding per release that has files with a fault of `rule`. */
export function fileFindings(rule: FileFault['rule'], looked: readonly CheckedFile[]): Finding[] {
  const faulty = Map.groupBy(
    looked.filter(({ fault }) => fault?.rule === rule),
    ({ release }) => release,
  );
  return [...faulty].map(([release, all]) => {
    const files = all.slice(0, named).map(
      ({ file, fault }): Text =>
        (language) =>
          `${file.path} ${fault!.why(language)}`,
    );
    const rest = all.length - files.length;
    if (rest > 0) files.push(textOf('more_faulty', { rest }));
    const about = { release: release._id, total: release.files.length, count: all.length };
    const summary = textOf(rule === 'integrity' ? 'files_altered' : 'files_unreachable', about);
    const message = textOf('faulty_files', { summary, files: listOf(files, 'semicolon') });
    return findingOn(release, message, adviceOn(rule, release));
  });
}

function adviceOn(rule: FileFault['rule'], release: Release): Text {
  const { base: address, name } = release;
  if (!isElsewhere(release)) return textOf('publish_same', { name });
  return textOf(rule === 'integrity' ? 'restore_files' : 'serve_files', { address, name });
}

/**
 * `integrity`: every file is byte for byte as published, since browsers refuse other content. `reachable`: a visitor's browser can fetch
 * every file.
 */
export const fileRule =
  (rule: FileFault['rule']): Rule =>
  async (_parts, context) => {
    const looked = await context.files();
    return { findings: fileFindings(rule, looked), looked: looked.length };
  };
