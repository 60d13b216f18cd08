import { Button } from 'host/ui/button.tsx';
import { addEscapeLayer } from 'host/ui/escape.ts';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useStreamOr } from 'host/ui/use-stream.ts';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { Composer } from './ask/composer.tsx';
import styles from './chat-layout.module.css';
import listStyles from './conversation/message-list.module.css';
import { Welcome } from './conversation/welcome.tsx';
import type { deferredParts } from './deferred-parts.ts';
import panelStyles from './sidebar/side-panel.module.css';
import { useSidePanel } from './sidebar/use-side-panel.ts';
import { useFrame } from './state/chat-context.ts';
import type { ChatState } from './state/chat-state.ts';

interface ChatLayoutProps {
  /** The rest of the screen, once it is loaded. */
  rest: typeof deferredParts | undefined;
  controls: ReactNode;
  /** Receives the container for menus and cards: the last element of `main`, above everything else. */
  layerRef(element: HTMLElement | null): void;
}

/** The layout: side panel, message list and composer. The textarea remains the same element when the rest of the screen loads. */
export function ChatLayout({ rest, controls, layerRef }: ChatLayoutProps) {
  const { t, services, chat } = useFrame();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const panel = useSidePanel(services.storage);
  const field = useRef<HTMLTextAreaElement>(null);
  const main = useRef<HTMLElement>(null);
  const addressed = params.get('c') || null;
  const state = useStreamOr(chat?.consultation.state$, null);
  // While the conversation of the address is loading, typed text is already stored as its draft.
  const isOpened = state !== null && (state.conversationId !== null || state.phase !== 'loading');
  const startNew = () => {
    // The field cannot take the focus while the drawer is open.
    flushSync(panel.close);
    chat?.consultation.startNew();
    void navigate({ search: '' });
    field.current?.focus();
  };

  // Registered before all other Escape handlers, so that Escape stops the answer only if no dialog, menu or drawer is open. It must be
  // pressed in this screen, or while nothing has the focus.
  const stopFromHere = useEffectEvent(({ target }: Event) => {
    const isHere = target === document.body || !(target instanceof Element) || main.current?.contains(target);
    return Boolean(isHere) && stop(chat);
  });
  useEffect(() => addEscapeLayer((event) => stopFromHere(event)), []);

  return (
    <main ref={main} className={styles.chat} id="main" tabIndex={-1}>
      <div className={styles.layout} data-collapsed={panel.isCollapsed || undefined}>
        <SidePanel panelRef={panel.panelRef} isOpen={panel.isOpen} onNew={startNew} onHide={panel.hide}>
          {rest && <rest.SideBody onChosen={panel.close} />}
        </SidePanel>
        {panel.isOpen && <div className={`scrim ${styles.scrim}`} aria-hidden="true" onClick={panel.close} />}
        <section className={styles.consult} aria-label={t('consultation')}>
          <header className={`head ${styles.head}`}>
            <IconButton
              ref={panel.openerRef}
              icon="panel"
              label={t('openPanel')}
              hasTitle
              className={styles.open}
              aria-expanded={panel.isOpen}
              aria-controls="side"
              onClick={panel.show}
            />
            {rest ? <rest.Title /> : <h1>{t(addressed ? 'consultation' : 'newQuestion')}</h1>}
            <div className={styles.whom}>
              {rest && (
                <>
                  <rest.ContactChip />
                  <rest.AskPersonButton className="button small bare" />
                </>
              )}
            </div>
            <span className="space" />
            {controls}
          </header>
          {rest ? <rest.MessageList onNew={startNew} /> : <EmptyList isNew={!addressed} />}
          <Composer
            fieldRef={field}
            conversationId={isOpened ? state.conversationId : addressed}
            tray={rest?.Tray}
            choices={
              rest && (
                <>
                  <rest.ModelSelect />
                  <rest.ShortcutsButton
                    panel={panel}
                    fieldRef={field}
                    startNew={startNew}
                    stop={() => stop(chat)}
                  />
                </>
              )
            }
            recipientSwitch={rest && <rest.RecipientSwitch />}
          />
          {rest && <rest.ChatEffects />}
        </section>
        {rest && <rest.SourceView />}
      </div>
      {rest && <rest.Announcer />}
      <div ref={layerRef} className={styles.layer} data-layer />
    </main>
  );
}

/** Returns false if no answer is running. */
function stop(chat: ChatState | undefined): boolean {
  if (!chat?.consultation.state$.value.runningKey) return false;
  void chat.consultation.stop();
  return true;
}

function EmptyList({ isNew }: { isNew: boolean }) {
  const { t } = useFrame();
  return (
    <div className={listStyles.messages} role="log" aria-label={t('log')} aria-busy="true">
      <div className={`${listStyles.content} ${listStyles.centred}`}>{isNew && <Welcome />}</div>
    </div>
  );
}

interface SidePanelProps {
  panelRef: RefObject<HTMLElement | null>;
  /** Whether the panel is open as a drawer, in narrow windows. */
  isOpen: boolean;
  onNew(): void;
  onHide(): void;
  children: ReactNode;
}

/** The side panel, 333 px wide; a drawer in narrow windows. It can be hidden. */
function SidePanel({ panelRef, isOpen, onNew, onHide, children }: SidePanelProps) {
  const { t } = useFrame();
  return (
    <aside
      ref={panelRef}
      className={`no-print ${panelStyles.side}`}
      id="side"
      aria-label={t('conversations')}
      data-open={isOpen || undefined}
    >
      <div className={`head ${panelStyles.head}`}>
        <h2>{t('conversations')}</h2>
        <span className="space" />
        <Button look="small" icon="plus" label={t('newQuestion')} onClick={onNew} />
        <button
          className={`icon-button ${panelStyles.hide}`}
          type="button"
          aria-label={t('closePanel')}
          title={t('closePanel')}
          aria-expanded
          aria-controls="side"
          onClick={onHide}
        >
          <Icon name="panel" />
          <Icon name="close" />
        </button>
      </div>
      {children}
    </aside>
  );
}
