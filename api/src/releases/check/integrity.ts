import { textsOf } from '../../i18n/texts-of.ts';
import { fileFindings, putBack } from './file-findings.ts';
import type { Rule } from './rule.ts';

const textOf = textsOf('findings');

/** Checks that every file is byte for byte what was published: browsers refuse anything else. */
export const integrity: Rule = (_parts, context) =>
  fileFindings(
    'integrity',
    context,
    ({ _id, files }, count) => textOf('files_altered', { release: _id, total: files.length, count }),
    putBack,
  );
