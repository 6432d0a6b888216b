/// Words on the screen: in colours, cut to a width, as links, with tooltips.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "viewer/widgets/fonts.h"
#include "viewer/widgets/palette.h"

namespace quintet::viewer {

void colored_text(const Color& color, std::string_view text);
/// The text with line breaks in place of spaces, so that lines fit `width` where words do: numbers stay
/// whole. `width_of`: of a text on one line, in the unit of `width`.
std::string broken_at_spaces(std::string_view text, float width,
                             const std::function<float(std::string_view)>& width_of);
/// Broken at spaces before the right edge of the window; a word that is longer is broken within.
void wrapped_text(const Color& color, std::string_view text);
/// Cut with an ellipsis at `width` pixels; the whole text is then the tooltip.
void cut_text(const Color& color, std::string_view text, float width);
/// At the right edge of the column or window.
void right_text(const Color& color, std::string_view text);
/// Of the item drawn last, wrapped; nothing for an empty text.
void tooltip(std::string_view text);
/// Text that does something when clicked, or activated by keyboard.
bool link_text(const char* id, std::string_view text, const Palette& palette);
/// One of several choices in a row: pressed looks pressed.
bool segment_button(const char* label, bool chosen, const Palette& palette);
/// A button without a ground until the pointer is over it.
bool quiet_button(const char* label, const Palette& palette);
/// A small filled square before a name: its colour in the timeline.
void color_mark(const Color& color, float scale);
/// A line of small capitals that opens a section.
void section_title(std::string_view title, const Fonts& fonts, const Palette& palette);

/// A glyph where the font has it, else a word: ImGui's built-in face has little more than Latin.
const char* glyph_or(const Fonts& fonts, unsigned int code, const char* glyph, const char* word);

/// An editable line. `text` changes as the user types; true when it did. `hint`: shown while it is
/// empty. `width`: pixels; negative = so much less than what is left.
bool text_field(const char* id, const char* hint, std::string& text, float width);

}  // namespace quintet::viewer
