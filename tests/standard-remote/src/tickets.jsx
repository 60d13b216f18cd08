import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import mark from './mark.svg';
import './tickets.css';

const Details = lazy(() => import('./details.jsx'));

export default function Tickets({ services, controls }) {
  const [count, setCount] = useState(0);
  const [isOpen, setOpen] = useState(false);
  return (
    <main id="main" tabIndex={-1} className="tickets">
      <h1>Tickets, first edition</h1>
      <img src={mark} alt="A mark" />
      <button type="button" onClick={() => setCount(count + 1)}>
        Count: {count}
      </button>
      <button type="button" onClick={() => setOpen(true)}>
        Details
      </button>
      <button type="button" onClick={() => services.toasts.show({ kind: 'info', text: 'A toast' })}>
        Toast
      </button>
      {isOpen && (
        <Suspense fallback="…">
          <Details />
        </Suspense>
      )}
      {createPortal(<p>In a portal</p>, document.body)}
      {controls}
    </main>
  );
}
