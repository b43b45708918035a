"""The API pages that Doxygen made (site/api), and links to them: `[text](api:name)`, `[text](source:path)`."""
import html
import posixpath
import re

from .repository import BUILD, ROOT, Stale


def there():
    return False


def files():
    return []


def resolve(output, here):
    """`source:` links: to the API's page of the file where there is one, else just the words."""
    def one(match):
        target, label = match.group(1), match.group(2)
        if not (ROOT / target).exists():
            raise Stale(f"{target} is not there")
        return f'<span class="source" title="{html.escape(target)}">{label}</span>'
    return re.sub(r'<a href="source:([^"]+)">(.*?)</a>', one, output)
