import { Icon } from 'host/ui/icon.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { type RefObject, useId, useState } from 'react';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from './pairs.module.css';

interface AnswerFieldProps {
  inputRef: RefObject<HTMLTextAreaElement | null>;
  value: string;
  /** Why the text cannot be saved; '' if it can. */
  fault: string;
  onChange(value: string): void;
}

export function AnswerField({ inputRef, value, fault, onChange }: AnswerFieldProps) {
  const t = useTexts(knowledgeTexts);
  const id = useId();
  const [mode, setMode] = useState<'write' | 'preview'>('write');
  return (
    <div className="field">
      <div className="line spread">
        <label htmlFor={id}>{t('pair.answer')}</label>
        <Segments<'write' | 'preview'>
          label={t('pair.mode')}
          value={mode}
          choices={[
            { value: 'write', label: t('pair.write') },
            { value: 'preview', label: t('pair.preview') },
          ]}
          onChange={setMode}
        />
      </div>
      <textarea
        ref={inputRef}
        className="input"
        dir="auto"
        id={id}
        rows={8}
        hidden={mode === 'preview'}
        value={value}
        aria-invalid={fault !== '' || undefined}
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value)}
      />
      {mode === 'preview' && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <section className={styles.preview} aria-label={t('pair.preview')} tabIndex={0}>
          {value.trim() ? (
            <SavedAnswer markdown={value} />
          ) : (
            <p className="quiet">{t('pair.preview.none')}</p>
          )}
        </section>
      )}
      <p className={`field-note ${fault ? 'error' : ''}`} id={`${id}-note`}>
        {fault && <Icon name="alert" />}
        {fault || t('pair.answer.about')}
      </p>
    </div>
  );
}
