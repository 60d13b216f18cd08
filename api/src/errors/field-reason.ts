import type { z } from 'zod';
import { listOf, type Text, type TextKey, textsOf } from '../i18n/texts-of.ts';

type Issue = z.core.$ZodIssue;

const textOf = textsOf('fields');

/** Names of JSON's types. */
const TYPES: Readonly<Record<string, TextKey<'fields'>>> = {
  string: 'a_string',
  number: 'a_number',
  int: 'an_integer',
  boolean: 'a_boolean',
  object: 'an_object',
  record: 'an_object',
  array: 'a_list',
};

/** Why a schema refused a value. Never quotes the value itself: it may be a password. */
export function reasonOf(issue: Issue): Text {
  const text = issue.code === 'custom' ? (issue.params?.text as Text | undefined) : undefined;
  if (text) return text;
  const own = ownMessageOf(issue);
  switch (issue.code) {
    case 'invalid_type': {
      const type = TYPES[issue.expected];
      if (issue.input === undefined) return textOf('missing');
      return textOf('wrong_type', { type: type ? textOf(type) : issue.expected });
    }
    case 'too_small':
      return textOf(`min_${unitOf(issue.origin)}`, { limit: String(issue.minimum) });
    case 'too_big':
      return textOf(`max_${unitOf(issue.origin)}`, { limit: String(issue.maximum) });
    case 'unrecognized_keys':
      return textOf('unknown_field');
    case 'invalid_value': {
      const choices = textOf('one_of', { values: listOf(issue.values.map(String), 'alternatives') });
      // A schema's own message is English.
      return (language) => (language === 'en' && own) || choices(language);
    }
    case 'custom':
      return own === undefined ? textOf('does_not_fit') : () => own;
    default:
      return own === undefined ? textOf('wrong_format') : () => own;
  }
}

/** Options of a check whose message the caller sees in the caller's language. */
export function because(text: Text): { error: string; params: { text: Text } } {
  return { error: text('en'), params: { text } };
}

function unitOf(origin: string): 'characters' | 'elements' | 'value' {
  return origin === 'string' ? 'characters' : origin === 'array' ? 'elements' : 'value';
}

/** The schema's own message, unless it is a default one of zod, which begin with "Invalid". */
function ownMessageOf({ message }: Issue): string | undefined {
  return message.startsWith('Invalid') ? undefined : message;
}
