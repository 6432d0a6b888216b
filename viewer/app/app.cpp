#include "viewer/app/app.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>

#include "viewer/model/exporter.h"
#include "viewer/model/run_keeper.h"
#include "viewer/views/help_window.h"
#include "viewer/views/start_screen.h"
#include "viewer/widgets/theme.h"

namespace quintet::viewer {

namespace {

/// Progress of what runs in the background is drawn this often.
constexpr double kProgressSeconds = 0.1;
/// A closed dialog is still in the frame that closed it.
constexpr int kPictureDelay = 2;

}  // namespace

App::App(AppOptions options)
    : options_(std::move(options)), background_(std::make_unique<Background>(options_.wake)) {
  for (const MakePart make : part_catalog())
    parts_.add(make(options_));
  // What is remembered comes first, so that commands go before it.
  PartContext context{workbench_, *background_, commands_, parts_};
  parts_.prepare(context);
  constexpr std::array<Side, kSideCount> kSides = {Side::a, Side::b};
  for (std::size_t file = 0; file < std::min(options_.files.size(), kSideCount); ++file)
    commands_.emit(command_id::kOpenFile, OpenFile{options_.files[file], kSides[file]});
}

App::~App() {
  PartContext context{workbench_, *background_, commands_, parts_};
  parts_.finish(context);
}

void App::draw(const Fonts& fonts, const ScreenFrame& screen) {
  background_->collect();
  run_commands();
  PartContext part_context{workbench_, *background_, commands_, parts_};
  parts_.prepare(part_context);
  run_commands();

  if (styled_ != std::pair(workbench_.theme, screen.scale)) {
    styled_ = {workbench_.theme, screen.scale};
    apply_theme(palette_of(workbench_.theme), screen.scale);
  }
  ImGuiIO& io = ImGui::GetIO();
  const bool walks = workbench_.pane_keys || workbench_.overlay == Overlay::export_dialog;
  io.ConfigFlags = walks ? io.ConfigFlags | ImGuiConfigFlags_NavEnableKeyboard
                         : io.ConfigFlags & ~ImGuiConfigFlags_NavEnableKeyboard;
  const std::vector<JobStatus> jobs = background_->status();
  ViewContext context{workbench_,
                      parts_,
                      jobs,
                      commands_,
                      palette_of(workbench_.theme),
                      fonts,
                      {screen.seconds, ++frames_, screen.scale}};
  ImGui::PushFont(fonts.body);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize({screen.width, screen.height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, to_imgui(context.palette.background));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::Begin("##workbench", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                   ImGuiWindowFlags_NoScrollWithMouse);
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
  const PaneBox box = {0, 0, screen.width, screen.height};
  screen_ = box;
  paint(box, context);
  paint_overlay(box, context);
  ImGui::End();
  ImGui::PopFont();
}

void App::paint(const PaneBox& screen, ViewContext& context) {
  const float top = context.px(TopBar::kHeight);
  const float bottom = context.px(StatusLine::kHeight);
  const float gap = context.px(1);
  top_bar_.draw({0, 0, screen.width, top}, context);
  PaneBox panes = {0, top + gap, screen.width, screen.height - top - bottom - 2 * gap};
  const float alert = draw_alert({0, top, screen.width, 0}, context);
  panes.y += alert;
  panes.height = std::max(0.0F, panes.height - alert);
  // A run is seen from its order on; once it has ended and was closed, there is something to begin with.
  const auto* run = parts_.find<RunKeeper>();
  const bool runs = run != nullptr && run->standing().stage != RunStage::none &&
                    run->standing().stage != RunStage::finished;
  if (workbench_.anything_open() || (workbench_.bottom_tab == "run" && runs)) {
    panes_.draw(panes, context);
  } else {
    draw_start_screen(panes, context);
  }
  status_line_.draw({0, screen.height - bottom, screen.width, bottom}, context);
}

void App::paint_overlay(const PaneBox& screen, ViewContext& context) {
  const Overlay overlay = workbench_.overlay;
  if (overlay != overlay_) {
    palette_.reset();
    open_dialog_.reset();
    export_dialog_.reset();
    overlay_ = overlay;
  }
  switch (overlay) {
    case Overlay::none:
      break;
    case Overlay::palette:
      palette_.draw(screen, context);
      break;
    case Overlay::help:
      draw_help_window(screen, context);
      break;
    case Overlay::open_dialog:
      open_dialog_.draw(screen, context);
      break;
    case Overlay::export_dialog:
      export_dialog_.draw(screen, context);
      break;
  }
}

void App::key(const KeyChord& chord, bool typing) {
  // A text field keeps what types, edits or moves in it; Escape and Ctrl with a letter stay ours.
  const bool edits =
      chord.ctrl && (chord.key == Key::a || chord.key == Key::c || chord.key == Key::v ||
                     chord.key == Key::x || chord.key == Key::z || chord.key == Key::y);
  if (typing && (edits || (!chord.ctrl && chord.key != Key::escape))) return;
  // A dialog takes plain keys for itself: arrows and Enter choose in it.
  const bool closes = chord.key == Key::escape || chord.key == Key::question_mark;
  if (workbench_.pane_keys && !chord.ctrl && !closes && chord.key != Key::tab) return;
  if (workbench_.overlay != Overlay::none && !chord.ctrl && !closes) return;
  const CommandEntry* entry = command_for(chord, workbench_);
  if (entry != nullptr && entry->enabled_in(workbench_)) emit(entry->command());
}

void App::drop(const std::vector<std::string>& files) {
  // One file beside an open one would replace it; two are a pair to compare.
  Side side = Side::a;
  for (const std::string& file : files) {
    commands_.emit(command_id::kOpenFile, OpenFile{file, side});
    if (side == Side::b) break;
    side = Side::b;
  }
}

std::string App::title() const {
  const Document* document = workbench_.main_document();
  return document == nullptr ? "Quintet" : fmt::format("{} - Quintet", document->label());
}

double App::sleep_seconds() const {
  if (!commands_.empty() || !picture_path_.empty()) return 0;
  return background_->idle() ? -1 : kProgressSeconds;
}

bool App::wants_picture() const {
  return !picture_path_.empty() && picture_delay_ == 0;
}

Image App::wanted_part(Image picture) const {
  if (picture_of_ == ExportFormat::png || screen_.width <= 0) return picture;
  const PaneBoxes& boxes = panes_.boxes();
  const PaneBox& box = picture_of_ == ExportFormat::png_centre ? boxes.centre : boxes.bottom;
  const float scale = static_cast<float>(picture.width) / screen_.width;
  const auto pixels = [&](float length) { return static_cast<int>(std::lround(length * scale)); };
  Image part = picture.cut(pixels(box.x), pixels(box.y), pixels(box.width), pixels(box.height));
  return part.empty() ? std::move(picture) : std::move(part);  // a pane that is hidden
}

void App::take_picture(Image screen) {
  Image picture = wanted_part(std::move(screen));
  WorkbenchLog* log = &workbench_.log;
  background_->start<Result<void>>(
      "picture", "Writing a picture",
      [picture = std::move(picture), path = picture_path_](JobControl&) {
        return write_png(picture, path);
      },
      [log, path = picture_path_](const Result<void>& written) {
        if (written) {
          log->note("Wrote " + path);
        } else {
          log->fail(written.error());
        }
      });
  picture_path_.clear();
}

void App::settle() {
  while (!commands_.empty() || !background_->idle()) {
    run_commands();
    PartContext context{workbench_, *background_, commands_, parts_};
    parts_.prepare(context);
    background_->finish();
  }
}

void App::run_commands() {
  if (picture_delay_ > 0) --picture_delay_;
  // Commands may emit commands; a frame runs at most this many rounds of them.
  constexpr int kRounds = 8;
  for (int round = 0; round < kRounds && !commands_.empty(); ++round) {
    for (const Command& command : commands_.take())
      run(command);
  }
}

void App::run(const Command& command) {
  const CommandOutcome outcome = apply_command(command, workbench_);
  if (outcome == CommandOutcome::disabled) return;
  PartContext context{workbench_, *background_, commands_, parts_};
  bool taken = parts_.handle(command, context);
  taken = run_own(command) || taken;
  if (outcome == CommandOutcome::unknown || (outcome == CommandOutcome::for_parts && !taken)) {
    const CommandEntry* entry = find_command(command.id);
    const bool titled = entry != nullptr && !entry->title.empty();
    workbench_.log.warn(
        fmt::format("{} does nothing with what is open", titled ? entry->title : command.id));
  }
}

bool App::run_own(const Command& command) {
  if (command.id == command_id::kNextTab || command.id == command_id::kPreviousTab) {
    step_tab(command.id == command_id::kNextTab ? 1 : -1);
    return true;
  }
  if (command.id == command_id::kCancelJob) {
    if (const auto* job = command.get<std::string>()) background_->cancel(*job);
    return true;
  }
  const auto* wanted = command.get<ExportTo>();
  if (command.id == command_id::kExportTo && wanted != nullptr && is_picture(wanted->format)) {
    if (const auto free = check_export_path(wanted->path); !free) {
      workbench_.log.fail(free.error());
      return true;
    }
    picture_path_ = wanted->path;
    picture_of_ = wanted->format;
    picture_delay_ = kPictureDelay;
    return true;
  }
  return false;
}

void App::step_tab(int by) {
  const std::vector<std::string_view> tabs = panes_.tabs();
  if (tabs.empty()) return;
  const auto found = std::find(tabs.begin(), tabs.end(), workbench_.bottom_tab);
  const auto count = static_cast<std::ptrdiff_t>(tabs.size());
  const std::ptrdiff_t at = found == tabs.end() ? 0 : found - tabs.begin() + by + count;
  workbench_.bottom_tab = tabs[static_cast<std::size_t>(at % count)];
}

}  // namespace quintet::viewer
