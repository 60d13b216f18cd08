import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { Popover } from 'host/ui/popover.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { type ReactNode, useRef, useState } from 'react';
import { filterTexts } from '../../lib/texts.ts';
import styles from './filter-bar.module.css';

interface FilterChipProps {
  icon?: string;
  /** Text of the chip: the filter's value, or its name if it is not set. */
  label: ReactNode;
  isSet: boolean;
  /** Accessible name of the popover. */
  title: string;
  /** Accessible name of the button that removes the filter. */
  off: string;
  opens: 'menu' | 'dialog';
  onOff(): void;
  /** Content of the popover; `close` closes it and restores the focus to the chip. */
  children(close: () => void): ReactNode;
}

/** A filter: outlined while open, filled with a × button if set. Its popover is in the top layer. */
export function FilterChip(props: FilterChipProps) {
  const { icon, label, isSet, title, off, opens, onOff, children } = props;
  const t = useTexts(filterTexts);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const closeAndReturn = () => {
    close();
    opener.current?.focus();
  };

  return (
    <>
      <span className={isSet ? 'chip-group' : 'line'}>
        <button
          ref={opener}
          className="chip"
          type="button"
          aria-haspopup={opens}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {icon && <Icon name={icon} />}
          {label}
          {!isSet && <Icon name="chevron" />}
        </button>
        {isSet && (
          <button
            className="chip"
            type="button"
            aria-label={off}
            title={off}
            onClick={() => {
              onOff();
              opener.current?.focus();
            }}
          >
            <Icon name="close" />
          </button>
        )}
      </span>
      {isOpen && opener.current && (
        <Popover anchor={opener.current} className={styles.layer ?? ''} gap={4} onClose={close}>
          <div className={styles.sheet} {...(opens === 'dialog' && { role: 'dialog', 'aria-label': title })}>
            <div className={styles.sheetHead}>
              <b aria-hidden="true">{title}</b>
              <IconButton icon="close" label={t('close')} onClick={closeAndReturn} />
            </div>
            {children(closeAndReturn)}
          </div>
        </Popover>
      )}
    </>
  );
}
