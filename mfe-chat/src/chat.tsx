import type { ScreenProps } from 'host/contract';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { Announcer } from './announcer.tsx';
import styles from './chat.module.css';
import { ChatContext, useChat } from './chat-context.ts';
import { citationCard } from './citation-card-module.ts';
import { Composer } from './composer.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { createDesk, type Desk } from './desk.ts';
import { Icon } from './icon.tsx';
import { markdown } from './markdown-module.ts';
import { MessageList } from './message-list.tsx';
import { SidePanel } from './side-panel.tsx';
import { threadMenu } from './thread-menu-module.ts';
import { useDrawer } from './use-drawer.ts';
import { useEscapeToStop } from './use-escape-to-stop.ts';
import { useTitle } from './use-title.ts';
import { WORDS } from './words.ts';

/** /index: conversations left, the consultation right. The open conversation stands in the address as `?c=`. */
export default function ChatScreen({ services, language, controls }: ScreenProps): ReactNode {
  const [desk] = useState(() => createDesk(services));
  const [layer, setLayer] = useState<HTMLElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new identity in another language, so that every word is rendered anew
  const t = useMemo(() => {
    const translate = services.i18n.translator(WORDS);
    return ((key, values) => translate(key, values)) as typeof translate;
  }, [services, language]);
  const value = useMemo(() => ({ services, desk, t, language, layer }), [services, desk, t, language, layer]);

  useEffect(() => desk.connect(), [desk]);
  useAddress(desk);
  useEscapeToStop(desk.consultation);
  useEffect(() => {
    // Fetched once the textarea stands, so that they are there when the first answer is.
    for (const part of [markdown, citationCard, threadMenu]) part.load().catch(() => undefined);
  }, []);

  return (
    <ChatContext value={value}>
      <Folder controls={controls} />
      <div ref={setLayer} className={styles.layer} />
    </ChatContext>
  );
}

function Folder({ controls }: { controls: ReactNode }) {
  const { t, desk } = useChat();
  const navigate = useNavigate();
  const drawer = useDrawer();
  const field = useRef<HTMLTextAreaElement>(null);
  const startNew = () => {
    drawer.close();
    desk.consultation.startNew();
    navigate({ search: '' });
    field.current?.focus();
  };

  return (
    <div className={styles.desk}>
      <div className={styles.folder}>
        <SidePanel
          panelRef={drawer.panelRef}
          isOpen={drawer.isOpen}
          onNew={startNew}
          onClose={drawer.close}
        />
        {drawer.isOpen && (
          <div className={`scrim ${styles.scrim}`} aria-hidden="true" onClick={drawer.close} />
        )}
        <section className={styles.consult} aria-label={t('consultation')}>
          <header className={`head ${styles.head}`}>
            <button
              className={`icon-button ${styles.open}`}
              type="button"
              aria-label={t('openPanel')}
              aria-expanded={drawer.isOpen}
              aria-controls="side"
              onClick={drawer.open}
            >
              <Icon name="panel" />
            </button>
            <Title />
            <span className="space" />
            {controls}
          </header>
          <MessageList onNew={startNew} />
          <ConnectionNotice />
          <Composer fieldRef={field} />
        </section>
      </div>
      <Announcer />
    </div>
  );
}

function Title() {
  return <h1 className="clip">{useTitle()}</h1>;
}

/** The address says which conversation is shown; a new one writes its id there. */
function useAddress(desk: Desk): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const id = params.get('c') || null;

  useEffect(() => desk.consultation.open(id), [desk, id]);
  useEffect(() => {
    const naming = desk.named$.subscribe((named) => navigate({ search: `?c=${named}` }, { replace: true }));
    return () => naming.unsubscribe();
  }, [desk, navigate]);
}
