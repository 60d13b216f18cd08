import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { type KeyboardEvent, useRef } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './search-box.module.css';

/** Maximum length of a search in UTF-16 units, as in the API. */
const MAX_SEARCH = 1_000;

/** The search field above the conversations. Escape ends the search. */
export function SearchBox() {
  const { t, chat } = useChat();
  const { text } = useStream(chat.search.state$);
  const field = useRef<HTMLInputElement>(null);
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') chat.search.submit();
    else if (event.key === 'Escape' && text) end();
    else return;
    event.preventDefault();
  };
  const end = () => {
    chat.search.clear();
    field.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: jsdom and older browsers do not know the element search
    <div role="search" className={`search ${styles.search}`}>
      <Icon name="search" />
      <input
        ref={field}
        className="input"
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        maxLength={MAX_SEARCH}
        autoComplete="off"
        enterKeyHint="search"
        value={text}
        onChange={({ currentTarget, nativeEvent }) =>
          chat.search.type(currentTarget.value, (nativeEvent as InputEvent).isComposing)
        }
        onCompositionEnd={({ currentTarget }) => chat.search.type(currentTarget.value, false)}
        onKeyDown={keyDown}
      />
      {text && <IconButton icon="close" label={t('clearSearch')} isSmall onClick={end} />}
    </div>
  );
}
