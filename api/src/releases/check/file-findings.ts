import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Release } from '../data/release.ts';
import { isElsewhere } from '../data/release-keys.ts';
import type { CheckContext, CheckedFile, FileFault, Finding, Rule, Ruled } from './rule.ts';

const textOf = textsOf('findings');

/** Number of files listed by name; the others are only counted. */
const named = 3;

/** One finding per release that has files with a fault of `rule`. */
export async function fileFindings(
  rule: FileFault['rule'],
  { files }: CheckContext,
  summary: (release: Release, count: number) => Text,
  advice: (release: Release) => Text,
): Promise<Ruled> {
  const looked = await files();
  const faulty = new Map<Release, CheckedFile[]>();
  for (const one of looked)
    if (one.fault?.rule === rule) faulty.set(one.release, [...(faulty.get(one.release) ?? []), one]);
  const findings = [...faulty].map(([release, of]): Finding => {
    const some = of.slice(0, named);
    const rest = of.length - some.length;
    const files = some.map(
      ({ file, fault }): Text =>
        (language) =>
          `${file.path} ${fault!.why(language)}`,
    );
    if (rest > 0) files.push(textOf('more_faulty', { rest }));
    return {
      remote: release.name,
      release: release._id,
      message: textOf('faulty_files', {
        summary: summary(release, of.length),
        files: listOf(files, 'semicolon'),
      }),
      advice: advice(release),
    };
  });
  return { findings, looked: looked.length };
}

/** Advice for files of a release that are missing or altered. */
export function putBack(release: Release): Text {
  return isElsewhere(release)
    ? textOf('restore_files', { address: release.base, name: release.name })
    : textOf('publish_same', { name: release.name });
}

/** Checks that every file is byte for byte what was published: browsers refuse anything else. */
export const integrity: Rule = (_parts, context) =>
  fileFindings(
    'integrity',
    context,
    ({ _id, files }, count) => textOf('files_altered', { release: _id, total: files.length, count }),
    putBack,
  );

/** Checks that a visitor's browser can fetch every file. */
export const reachable: Rule = (_parts, context) =>
  fileFindings(
    'reachable',
    context,
    ({ _id, files }, count) => textOf('files_unreachable', { release: _id, total: files.length, count }),
    (release) =>
      isElsewhere(release)
        ? textOf('serve_files', { address: release.base, name: release.name })
        : putBack(release),
  );
