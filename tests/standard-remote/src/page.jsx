import { createRoot } from 'react-dom/client';
import Tickets from './tickets.jsx';

createRoot(document.getElementById('root')).render(<Tickets />);
