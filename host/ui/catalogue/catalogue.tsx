import '../../src/theme.css';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router-dom';
import { Calendar } from '../src/calendar.tsx';
import { Dialog } from '../src/dialog.tsx';
import { Icon } from '../src/icon.tsx';
import type { Day } from '../src/local-day.ts';
import { Markdown } from '../src/markdown/markdown.tsx';
import { MenuButton } from '../src/menu.tsx';
import { PassageText } from '../src/passage-text.tsx';
import { Popover } from '../src/popover.tsx';
import { Segments } from '../src/segments.tsx';
import { useCombobox } from '../src/use-combobox.ts';
import styles from './catalogue.module.css';
import { EN, type Words, ZH } from './words.ts';

const PASSAGE = {
  start: 100,
  place: '3.2',
  columns: 'A | B',
  text: 'Refunds arrive within **three working days** after `POST /refunds`.',
};
const QUOTE = { quote: '**three working days**', start: 122, end: 144 };

/** Every component of the design system, in both languages and themes. */
function Catalogue() {
  const [language, setLanguage] = useState<'zh' | 'en'>('zh');
  const [theme, setTheme] = useState<'system' | 'light' | 'dark'>('system');
  const words = language === 'zh' ? ZH : EN;
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.title = words.title;
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [language, theme, words]);
  return (
    <main className={styles.catalogue} id="main" tabIndex={-1}>
      <h1>{words.title}</h1>
      <div className={styles.row}>
        <Segments
          label={words.language}
          choices={[
            { value: 'zh', label: '中文' },
            { value: 'en', label: 'English' },
          ]}
          value={language}
          onChange={setLanguage}
        />
        <Segments
          label={words.theme}
          choices={[
            { value: 'system', label: words.system },
            { value: 'light', label: words.light },
            { value: 'dark', label: words.dark },
          ]}
          value={theme}
          onChange={setTheme}
        />
      </div>
      <Icons words={words} />
      <Overlays words={words} />
      <ComboboxPart words={words} />
      <CalendarPart words={words} isChinese={language === 'zh'} />
      <section aria-label="Markdown">
        <h2>Markdown</h2>
        <Markdown
          text={words.markdown}
          firstLevel={3}
          pictureLabel={(label) => `${words.picture}${label}`}
          tableLabel={words.table}
          citation={(n, key) => (n === 1 ? <sup key={key}>{n}</sup> : null)}
          copyCode={{ label: words.copy, copy: (code) => void navigator.clipboard.writeText(code) }}
        />
      </section>
      <section aria-label={words.passage}>
        <h2>{words.passage}</h2>
        <PassageText passage={PASSAGE} quote={QUOTE} />
      </section>
    </main>
  );
}

interface PartProps {
  words: Words;
}

function Icons({ words }: PartProps) {
  const names = [...document.querySelectorAll('symbol[id^="i-"]')].map(({ id }) => id.slice(2));
  return (
    <section aria-label={words.icons}>
      <h2>{words.icons}</h2>
      <div className={styles.row}>
        {names.map((name) => (
          <span key={name} className="tag">
            <Icon name={name} isSmall />
            {name}
          </span>
        ))}
      </div>
    </section>
  );
}

function Overlays({ words }: PartProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const closeDialog = () => setIsDialogOpen(false);
  const closePopover = () => setAnchor(null);
  return (
    <section aria-label={words.overlays}>
      <h2>{words.overlays}</h2>
      <div className={styles.row}>
        <button className="button" type="button" onClick={() => setIsDialogOpen(true)}>
          {words.dialog}
        </button>
        <MenuButton
          className="button"
          label={words.menu}
          items={[
            { label: words.link, icon: 'chart', action: { to: '/' } },
            { label: words.open, icon: 'open', action: () => setIsDialogOpen(true) },
            { label: words.remove, icon: 'trash', isDanger: true, action: () => undefined },
          ]}
        >
          {words.menu}
        </MenuButton>
        <button
          className="button"
          type="button"
          aria-haspopup="dialog"
          aria-expanded={anchor !== null}
          onClick={({ currentTarget }) => setAnchor(anchor ? null : currentTarget)}
        >
          {words.popover}
        </button>
      </div>
      {anchor && (
        <Popover
          anchor={anchor}
          role="dialog"
          label={words.popover}
          className="popover"
          onClose={closePopover}
        >
          <div className="dialog-body">
            <p>{words.text}</p>
            <button className="button small" type="button" data-focus-first onClick={closePopover}>
              {words.close}
            </button>
          </div>
        </Popover>
      )}
      {isDialogOpen && (
        <Dialog
          title={words.dialog}
          closeLabel={words.close}
          onClose={closeDialog}
          onSubmit={closeDialog}
          foot={
            <>
              <button className="button" type="button" onClick={closeDialog}>
                {words.cancel}
              </button>
              <button className="button primary" type="submit">
                {words.save}
              </button>
            </>
          }
        >
          <p>{words.text}</p>
        </Dialog>
      )}
    </section>
  );
}

function ComboboxPart({ words }: PartProps) {
  const [text, setText] = useState('');
  const options = words.people.filter((name) => name.toLowerCase().includes(text.toLowerCase()));
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose: (index) => setText(options[index] ?? ''),
  });
  return (
    <section aria-label={words.combobox}>
      <h2>{words.combobox}</h2>
      <input
        className="input"
        {...combobox.field}
        aria-label={words.person}
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          combobox.reset();
        }}
      />
      {options.length > 0 && (
        <div {...combobox.list(words.people.join(', '))}>
          {options.map((name, index) => (
            <div key={name} {...combobox.option(index)}>
              <Icon name={index === combobox.active ? 'check' : 'user'} isSmall /> {name}
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function CalendarPart({ words, isChinese }: PartProps & { isChinese: boolean }) {
  const [range, setRange] = useState({ from: '2026-07-06', to: '2026-07-15' });
  const pick = (day: Day) =>
    setRange((before) =>
      before.to || day < before.from ? { from: day, to: '' } : { from: before.from, to: day },
    );
  return (
    <section aria-label={words.calendar}>
      <h2>{words.calendar}</h2>
      <Calendar isChinese={isChinese} today="2026-07-20" range={range} onPick={pick} />
    </section>
  );
}

createRoot(document.getElementById('root')!).render(
  <MemoryRouter>
    <Catalogue />
  </MemoryRouter>,
);
