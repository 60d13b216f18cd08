void import('./page.jsx');
