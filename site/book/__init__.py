"""What the site is made of: lessons, exercises, figures and messages, gathered from where they live in the repository."""
