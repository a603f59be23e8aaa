"""What every page is made with: templates, the page as an object, how it is sent, and errors as pages."""
