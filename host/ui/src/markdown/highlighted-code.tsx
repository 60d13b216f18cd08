import { Fragment, type ReactNode } from 'react';
import { parse } from 'sugar-high/core';
import { lang, languages } from 'sugar-high/lang';
import styles from './highlighted-code.module.css';

/** Classes of token types; all others keep the colour of the text. */
const CLASSES: Readonly<Record<string, string | undefined>> = {
  keyword: styles.keyword,
  string: styles.string,
  class: styles.value,
  property: styles.value,
  entity: styles.name,
  comment: 'quiet',
};

export function HighlightedCode({ text, language }: { text: string; language: string }): ReactNode {
  const id = lang(language.toLowerCase());
  const known = languages.find((one) => one.id === id);
  if (!known) return text;
  return parse(text, known.config).lines.map(({ tokens }, line) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
    <Fragment key={line}>
      {line > 0 && '\n'}
      {tokens.map(({ type, value }, index) => {
        const className = CLASSES[type];
        return className ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no other identity
          <span key={index} className={className}>
            {value}
          </span>
        ) : (
          value
        );
      })}
    </Fragment>
  ));
}
