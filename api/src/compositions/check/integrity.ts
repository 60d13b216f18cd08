import { fileFindings, putBack } from './file-findings.ts';
import type { Rule } from './rule.ts';

/** Checks that every file is byte for byte what was published: browsers refuse anything else. */
export const integrity: Rule = (_parts, context) =>
  fileFindings(
    'integrity',
    context,
    ({ _id, files }, count) => [
      `${_id} 的 ${files.length} 个文件中有 ${count} 个与发布时的 SHA-384 不符`,
      `${count} of ${files.length} files of ${_id} do not have the SHA-384 that they were published with`,
    ],
    putBack,
  );
