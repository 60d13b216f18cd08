import type { NextPage } from 'api/contract/compositions';
import { Button } from 'host/ui/button.tsx';
import { deskAddress } from 'host/ui/desk-address.ts';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { type MouseEvent, useEffect, useState, useSyncExternalStore } from 'react';
import { watchLive } from '../updates/watch-live.ts';
import { laterTexts } from './frame-texts.ts';
import { Notice } from './notice.tsx';
import { useShell } from './shell.ts';

/**
 * Hint that a new version is live, shown while no hold is active: a card at the bottom of the rail, or a line above the page if the rail
 * has no space for it, so that it covers nothing. The tab does not change until its visitor reloads it.
 */
export function UpdateHint() {
  const { updates } = useShell();
  const isHeld = useStream(updates.isHeld$);
  const isTyping = useTyping();
  const next = useNext();
  const [dismissed, setDismissed] = useState('');
  const t = useTranslate(useShell().i18n, laterTexts);
  const isShown = next !== '' && next !== dismissed && !isHeld && !isTyping;

  const dismiss = ({ currentTarget }: MouseEvent) => {
    setDismissed(next);
    if (currentTarget.parentElement?.contains(document.activeElement))
      document.getElementById('main')?.focus({ preventScroll: true });
  };

  return (
    <Notice property="--new" className="notice hint">
      {isShown && (
        <aside className="update" aria-label={t('update.label')}>
          <p>
            <b>{t('update.title')}</b> <span>{t('update.text')}</span>
          </p>
          <Button look="small primary" label={t('update.reload')} onClick={() => location.reload()} />
          <IconButton icon="close" label={t('update.later')} isSmall onClick={dismiss} />
        </aside>
      )}
    </Notice>
  );
}

/** The id of the live composition if it is not this page's own; otherwise ''. */
function useNext(): string {
  const { composition } = useShell();
  const [next, setNext] = useState('');
  useEffect(() => {
    const watch = watchLive({ page: window, own: composition.id, fetchLive });
    const subscription = watch.next$.subscribe(setNext);
    return () => {
      subscription.unsubscribe();
      watch.stop();
    };
  }, [composition]);
  return next;
}

async function fetchLive(): Promise<string> {
  const response = await fetch(deskAddress('/ops/live'), {
    cache: 'no-store',
    headers: { Accept: 'application/json' },
  });
  if (!response.ok) return '';
  const { composition }: NextPage = await response.json();
  return typeof composition === 'string' ? composition : '';
}

/** True while the focus is in a field that is not empty. */
function useTyping(): boolean {
  return useSyncExternalStore(subscribe, () => hasText(document.activeElement));
}

const WITHOUT_TEXT = /^(button|checkbox|color|file|hidden|image|radio|range|reset|submit)$/;

function hasText(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  if (element instanceof HTMLInputElement) return !WITHOUT_TEXT.test(element.type) && element.value !== '';
  return element instanceof HTMLElement && element.isContentEditable && element.textContent !== '';
}

function subscribe(notify: () => void): () => void {
  const unsubscribed = new AbortController();
  for (const event of ['focusin', 'focusout', 'input'])
    document.addEventListener(event, notify, { signal: unsubscribed.signal });
  return () => unsubscribed.abort();
}
