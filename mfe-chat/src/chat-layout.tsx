import { type ReactNode, useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import styles from './chat-layout.module.css';
import { Composer } from './composer/composer.tsx';
import type { Desk } from './desk.ts';
import type { fullDesk } from './full-desk.ts';
import listStyles from './messages/message-list.module.css';
import { Welcome } from './messages/welcome.tsx';
import { useFrame } from './shared/frame-context.ts';
import { Icon } from './shared/icon.tsx';
import { useValueOr } from './shared/use-value.ts';
import { SidePanel } from './sidebar/side-panel.tsx';
import { useDrawer } from './sidebar/use-drawer.ts';

interface FolderProps {
  /** The rest of the screen, once it has been fetched. */
  full: typeof fullDesk | undefined;
  desk: Desk | undefined;
  controls: ReactNode;
  /** Takes the element that menus and cards are put into: last in the landmark, above all of it. */
  layerRef(element: HTMLElement | null): void;
}

/** The open folder: two pages in one rhythm. Its textarea stays the same element when the rest arrives. */
export function Folder({ full, desk, controls, layerRef }: FolderProps) {
  const { t, escapeLayers } = useFrame();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const drawer = useDrawer();
  const field = useRef<HTMLTextAreaElement>(null);
  const main = useRef<HTMLElement>(null);
  const addressed = params.get('c') || null;
  const state = useValueOr(desk?.consultation.state$, null);
  // Until the desk has opened what the address names, words that are typed belong to that all the same.
  const isOpened = state !== null && (state.conversationId !== null || state.phase !== 'loading');
  const startNew = () => {
    drawer.close();
    desk?.consultation.startNew();
    void navigate({ search: '' });
    field.current?.focus();
  };

  useEffect(() => (main.current ? escapeLayers.connect(main.current) : undefined), [escapeLayers]);
  // Registered before every layer, so that Esc stops the answer when none is open.
  const latestDesk = useRef(desk);
  latestDesk.current = desk;
  useEffect(() => escapeLayers.add(() => stop(latestDesk.current)), [escapeLayers]);

  return (
    <main ref={main} className={styles.desk} id="main" tabIndex={-1}>
      <div className={styles.folder}>
        <SidePanel panelRef={drawer.panelRef} isOpen={drawer.isOpen} onNew={startNew} onClose={drawer.close}>
          {full && desk && <full.SideBody onChosen={drawer.close} />}
        </SidePanel>
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
            {full && desk ? <full.Title /> : <h1>{t(addressed ? 'consultation' : 'newQuestion')}</h1>}
            <div className={styles.whom}>{full && desk && <full.ContactChip />}</div>
            <span className="space" />
            {controls}
          </header>
          {full && desk ? <full.MessageList onNew={startNew} /> : <EmptyList isNew={!addressed} />}
          <Composer
            fieldRef={field}
            conversationId={isOpened ? state.conversationId : addressed}
            isRunning={state?.runningKey != null}
            choices={full && desk && <full.ModelSelect />}
            isStarting={!state || state.phase === 'loading'}
            stop={() => void desk?.consultation.stop()}
          />
          {full && desk && <full.DeskLife />}
        </section>
      </div>
      <div ref={layerRef} className={styles.layer} />
    </main>
  );
}

/** False if no answer is running. */
function stop(desk: Desk | undefined): boolean {
  if (!desk?.consultation.state$.value.runningKey) return false;
  void desk.consultation.stop();
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
