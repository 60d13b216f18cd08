import { textsOf } from '../../i18n/texts-of.ts';
import { isElsewhere } from '../data/release-keys.ts';
import { fileFindings, putBack } from './file-findings.ts';
import type { Rule } from './rule.ts';

const textOf = textsOf('findings');

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
