import type { z } from 'zod';

/** The same text in both languages. */
type LocalizedText = readonly [zh: string, en: string];

type Issue = z.core.$ZodIssue;

/** Names of JSON's types, and units of what has a size. */
const TYPES: Readonly<Record<string, LocalizedText>> = {
  string: ['文字', 'a string'],
  number: ['数字', 'a number'],
  int: ['整数', 'an integer'],
  boolean: ['true 或 false', 'true or false'],
  object: ['对象', 'an object'],
  record: ['对象', 'an object'],
  array: ['列表', 'a list'],
};
const UNITS: Readonly<Record<string, LocalizedText>> = {
  string: [' 个字符', ' characters'],
  array: [' 项', ' elements'],
};

const NUMBER: LocalizedText = ['', ''];

/**
 * Why a schema refused a value. A schema's own message is in English; its Chinese text is `params.zh`, see `because`. Never quotes the
 * value itself: it may be a password.
 */
export function reasonOf(issue: Issue): LocalizedText {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return ['缺少这一项', 'it is missing'];
      const [zh, en] = TYPES[issue.expected] ?? [issue.expected, issue.expected];
      return [`应为${zh}`, `it must be ${en}`];
    }
    case 'too_small': {
      const [zh, en] = UNITS[issue.origin] ?? NUMBER;
      return [`至少为 ${issue.minimum}${zh}`, `it must ${en ? 'have' : 'be'} at least ${issue.minimum}${en}`];
    }
    case 'too_big': {
      const [zh, en] = UNITS[issue.origin] ?? NUMBER;
      return [`至多为 ${issue.maximum}${zh}`, `it must ${en ? 'have' : 'be'} at most ${issue.maximum}${en}`];
    }
    case 'unrecognized_keys':
      return ['没有这样的字段', 'there is no such field'];
    case 'invalid_value': {
      const values = issue.values.map(String);
      return [`应为 ${values.join('、')}`, own(issue) ?? `it must be ${values.join(' or ')}`];
    }
    case 'custom':
      return [
        (issue.params?.zh as string | undefined) ?? own(issue) ?? '不符合要求',
        own(issue) ?? 'it does not fit',
      ];
    default:
      return [own(issue) ?? '格式不正确', own(issue) ?? 'it does not have the right format'];
  }
}

/** Options of a check whose message the caller sees in both languages, see `reasonOf`. */
export function because(zh: string, en: string): { error: string; params: { zh: string } } {
  return { error: en, params: { zh } };
}

/** The schema's own message, unless it is a default one of zod, which begin with "Invalid". */
function own({ message }: Issue): string | undefined {
  return message.startsWith('Invalid') ? undefined : message;
}
