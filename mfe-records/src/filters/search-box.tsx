import { Icon } from 'host/ui/icon.tsx';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import styles from './filter-bar.module.css';
import type { SayFilter } from './filter-words.ts';

const TYPING_MS = 300;

interface SearchBoxProps {
  t: SayFilter;
  text: string;
  /** What stands under the box while it has the focus. */
  hintFor(text: string): string;
  /** What has to be said about the words that were sent; '' is nothing. */
  told: string;
  /** At every change of the words. */
  onEdit(text: string): void;
  /** While typing, once it rests. */
  onType(text: string): void;
  /** Enter, at once. Returns the words that remain in the box. */
  onSubmit(text: string): string;
  onClear(): void;
}

/** The words that are searched for. Nothing is sent while an input method is composing. */
export function SearchBox(props: SearchBoxProps) {
  const { t, text, hintFor, told, onEdit, onType, onSubmit, onClear } = props;
  const [draft, setDraft] = useState(text);
  /** What this box has sent, or was last given. */
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
    // The text changed by other means than this box: a chip, the browser's back button. What is being typed right now stays.
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
      {draft && (
        <button className="icon-button small" type="button" aria-label={t('search.clear')} onClick={clear}>
          <Icon name="close" />
        </button>
      )}
      <p className={styles.hint} id={hintId} hidden={!hasFocus || told !== ''}>
        {hintFor(draft)}
      </p>
      <p className={styles.several} role="status">
        {told}
      </p>
    </div>
  );
}
