import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../icon.tsx';
import styles from './filter-bar.module.css';
import type { SayFilter } from './filter-words.ts';

const TYPING_MS = 300;

interface SearchBoxProps {
  t: SayFilter;
  text: string;
  /** What stands under the box while it has the focus. */
  hintFor(text: string): string;
  /** While typing, once it rests. */
  onType(text: string): void;
  /** Enter, at once. */
  onSubmit(text: string): void;
  onClear(): void;
}

/** The words that are searched for. Nothing is sent while an input method is composing. */
export function SearchBox({ t, text, hintFor, onType, onSubmit, onClear }: SearchBoxProps) {
  const [draft, setDraft] = useState(text);
  const [shown, setShown] = useState(text);
  const [hasFocus, setFocus] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isComposing = useRef(false);
  const latest = useRef(onType);
  const hintId = useId();
  latest.current = onType;
  // The text changed by other means than typing: a chip, the browser's back button.
  if (text !== shown) {
    setShown(text);
    setDraft(text);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const rest = (typed: string) => {
    clearTimeout(timer.current);
    if (isComposing.current) return;
    timer.current = setTimeout(() => {
      setShown(typed);
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
    onSubmit(draft);
  };
  const clear = () => {
    clearTimeout(timer.current);
    setDraft('');
    onClear();
    input.current?.focus();
  };

  return (
    <div className={`search ${styles.search}`}>
      <Icon name="search" />
      <input
        ref={input}
        className="input"
        type="search"
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
      {draft && (
        <button className="icon-button small" type="button" aria-label={t('search.clear')} onClick={clear}>
          <Icon name="close" />
        </button>
      )}
      <p className={styles.hint} id={hintId} hidden={!hasFocus}>
        {hintFor(draft)}
      </p>
    </div>
  );
}
