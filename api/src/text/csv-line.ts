import { stringify } from 'csv-stringify/sync';

/** Against CSV injection: an apostrophe before = + - @ (also full-width), a tab or CR, after blanks. */
export function defused(field: string): string {
  const [blank = ''] = /^[\s\p{Z}\p{Cf}\p{Cc}]*/u.exec(field) ?? [];
  return /[\t\r]/.test(blank) || '=+-@＝＋－＠'.includes(field.charAt(blank.length) || ' ')
    ? `'${field}`
    : field;
}

/** A line that spreadsheets read correctly and do not run: every field quoted and defused, CRLF. */
export function csvLine(fields: string[]): string {
  return stringify([fields.map(defused)], { quoted: true, quoted_empty: true, record_delimiter: 'windows' });
}
