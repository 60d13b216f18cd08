import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { filterTexts } from '../../lib/texts.ts';
import styles from './filter-bar.module.css';

const TYPING_MS = 300;

interface RecordSearchProps {
  text: string;
  hintFor(text: string): string;
  /** Message about the submitted text; '' for none. */
  status: string;
  /** Called at every change of the text. */
  onEdit(text: string): void;
  /** Called after a pause in typing. */
  onType(text: string): void;
  /** Called on Enter. Returns the text that remains in the field. */
  onSubmit(text: string): string;
  onClear(): void;
}

/** The search field. Does not search while an input method is composing. */
export function RecordSearch(props: RecordSearchProps) {
  const t = useTexts(filterTexts);
  const { text, hintFor, status, onEdit, onType, onSubmit, onClear } = props;
  const [draft, setDraft] = useState(text);
  /** The text last sent by this field or received from outside. */
  const [sent, setSent] = useState(text);
  const [given, setGiven] = useState(text);
  const [hasFocus, setFocus] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isComposing = useRef(false);
  const latest = useRef(onType);
  const hintId = useId();
  latest.current = onType;
  if (text !== given) {
    setGiven(text);
    // The text changed from outside: a chip, or the browser's back button. Text being typed is kept.
    if (text !== sent && draft === sent) setDraft(text);
    setSent(text);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const rest = (typed: string) => {
    clearTimeout(timer.current);
    if (isComposing.current) return;
    timer.current = setTimeout(() => {
      setSent(typed);
      latest.current(typed);
    }, TYPING_MS);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && draft) {
      event.preventDefault();
      clear();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(timer.current);
    const rest = onSubmit(draft);
    setSent(rest);
    setDraft(rest);
  };
  const clear = () => {
    clearTimeout(timer.current);
    setSent('');
    setDraft('');
    onEdit('');
    onClear();
    input.current?.focus();
  };

  return (
    <div className={`search ${styles.search}`}>
      <Icon name="search" />
      <input
        ref={input}
        className="input"
        dir="auto"
        type="search"
        name="q"
        enterKeyHint="search"
        aria-label={t('search')}
        aria-describedby={hintId}
        placeholder={t('search.placeholder')}
        maxLength={1000}
        autoComplete="off"
        value={draft}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onChange={({ target }) => {
          setDraft(target.value);
          onEdit(target.value);
          rest(target.value);
        }}
        onCompositionStart={() => {
          isComposing.current = true;
          clearTimeout(timer.current);
        }}
        onCompositionEnd={({ currentTarget }) => {
          isComposing.current = false;
          rest(currentTarget.value);
        }}
        onKeyDown={handleKey}
      />
      {draft && <IconButton icon="close" label={t('search.clear')} isSmall onClick={clear} />}
      <p className={styles.hint} id={hintId} hidden={!hasFocus || status !== ''}>
        {hintFor(draft)}
      </p>
      <p className={styles.several} role="status">
        {status}
      </p>
    </div>
  );
}
