import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useEffect, useId, useRef } from 'react';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from './pairs.module.css';

interface VariantsFieldProps {
  variants: string[];
  /** Wordings offered as suggestions. */
  offered?: readonly string[] | undefined;
  /** Leaves out the explanation to save space. */
  isBrief?: boolean;
  onChange(variants: string[]): void;
}

const MAX_VARIANTS = 50;

/** Other wordings of a question, one per line. Enter adds a line, Backspace in an empty line removes it. */
export function VariantsField({ variants, offered = [], isBrief = false, onChange }: VariantsFieldProps) {
  const t = useTexts(knowledgeTexts);
  const titleId = useId();
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const next = useRef<number | null>(null);
  useEffect(() => {
    if (next.current === null) return;
    const inputs = list.current?.querySelectorAll('input') ?? [];
    (inputs[Math.min(next.current, inputs.length - 1)] ?? add.current)?.focus();
    next.current = null;
  });
  const isFull = variants.length >= MAX_VARIANTS;
  const insert = (at: number, text = '') => {
    if (isFull) return;
    next.current = at;
    onChange([...variants.slice(0, at), text, ...variants.slice(at)]);
  };
  const remove = (at: number) => {
    next.current = Math.max(0, at - 1);
    onChange(variants.filter((_, index) => index !== at));
  };
  const left = offered.filter((question) => !variants.includes(question));

  return (
    <fieldset
      className={`stack ${styles.variants}`}
      data-brief={isBrief || undefined}
      aria-labelledby={titleId}
    >
      <div className={styles.variantsHead}>
        <b className="ink-2" id={titleId}>
          {t('pair.variants')}
        </b>
        {(isFull || !isBrief) && (
          <span className="quiet">
            {isFull ? t('pair.variant.most', { count: MAX_VARIANTS }) : t('pair.variants.about')}
          </span>
        )}
      </div>
      {variants.length > 0 && (
        <ul className="stack gap-6px" ref={list}>
          {variants.map((variant, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is identified by its position
            <li className="line gap-s1" key={index}>
              <input
                className="input"
                dir="auto"
                aria-label={t('pair.variant', { n: index + 1 })}
                value={variant}
                maxLength={8000}
                onChange={({ target }) =>
                  onChange(variants.map((other, at) => (at === index ? target.value : other)))
                }
                onKeyDown={(event) => {
                  if (event.nativeEvent.isComposing) return;
                  if (event.key === 'Enter') {
                    event.preventDefault();
                    if (variant.trim()) insert(index + 1);
                  } else if (event.key === 'Backspace' && variant === '') {
                    event.preventDefault();
                    remove(index);
                  }
                }}
              />
              <IconButton
                icon="close"
                label={t('pair.variant.remove', { n: index + 1 })}
                onClick={() => remove(index)}
              />
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <Button
          ref={add}
          look={`small bare ${styles.add}`}
          icon="plus"
          label={t('pair.variant.add')}
          onClick={() => insert(variants.length)}
        />
      )}
      {left.length > 0 && !isFull && (
        <div className="line wrap chips type-small">
          <span className="quiet">{t('pair.alike')}</span>
          {left.map((question) => (
            <button
              key={question}
              className="chip"
              type="button"
              aria-label={t('pair.alike.add', { question })}
              onClick={() => insert(variants.length, question)}
            >
              <Icon name="plus" />
              <span className="clip">{question}</span>
            </button>
          ))}
        </div>
      )}
    </fieldset>
  );
}
